"""A Segment Anything of the real class, small and randomly initialised."""

from functools import partial
from pathlib import Path
from typing import Any

import torch

from firsthand.masks.sam_package import segment_anything

SIDE_PX = 256


def tiny_sam() -> Any:
    """Return a model of 256 px with windows and one global block, the same one every time."""
    torch.manual_seed(7)
    modeling = segment_anything().modeling
    grid = SIDE_PX // 16
    return modeling.Sam(
        image_encoder=modeling.ImageEncoderViT(
            img_size=SIDE_PX,
            patch_size=16,
            embed_dim=64,
            depth=2,
            num_heads=2,
            mlp_ratio=4,
            norm_layer=partial(torch.nn.LayerNorm, eps=1e-6),
            qkv_bias=True,
            use_rel_pos=True,
            global_attn_indexes=[1],
            window_size=7,
            out_chans=64,
        ),
        prompt_encoder=modeling.PromptEncoder(
            embed_dim=64,
            image_embedding_size=(grid, grid),
            input_image_size=(SIDE_PX, SIDE_PX),
            mask_in_chans=8,
        ),
        mask_decoder=modeling.MaskDecoder(
            num_multimask_outputs=3,
            transformer=modeling.TwoWayTransformer(
                depth=2, embedding_dim=64, mlp_dim=128, num_heads=8
            ),
            transformer_dim=64,
            iou_head_depth=3,
            iou_head_hidden_dim=64,
        ),
        pixel_mean=[123.675, 116.28, 103.53],
        pixel_std=[58.395, 57.12, 57.375],
    ).eval()


def saved_tiny_sam(folder: Path) -> Path:
    """Save its state as the published checkpoints are saved, and return the path."""
    path = folder / "tiny_sam.pth"
    torch.save(tiny_sam().state_dict(), path)
    return path

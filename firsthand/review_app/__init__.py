"""The browser application in which people review what the machine proposes."""

from firsthand.review_app.server import create_app, reviewers_of, serve

__all__ = ["create_app", "reviewers_of", "serve"]

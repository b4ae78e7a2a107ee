"""The ten clips: where they play, what is seen, said and pointed at."""

from __future__ import annotations

from clips import BYSTANDER, Clip, Grip, Line, Narration, Pointing, Quirk
from scene import Setting, Thing, Visit

_WIDE = (640, 360)
_TALL = (360, 640)
_JUMPER_RGB = (126, 58, 66)
_ROUTINES = "lifestyle_and_routines"
_WORK = "work_and_study"
_SOCIAL = "social_activities"
_OUTINGS = "outings_and_culture"

_APPROACH = Visit(
    (
        (0, 430, 214, 42, 0),
        (4, 400, 206, 70, 14),
        (8, 372, 196, 112, -16),
        (11, 352, 194, 118, 18),
        (14, 362, 198, 98, 0),
    )
)
_CALL = Visit(
    ((0, 190, 146, 30, 0), (5, 206, 144, 46, 12), (10, 182, 148, 36, -14), (15, 194, 146, 28, 4)),
    (107, 91, 287, 207),
)
_STREET_TALK = Visit(
    (
        (0, 560, 186, 76, 0),
        (3, 540, 178, 84, 25),
        (6, 525, 176, 92, -25),
        (9, 512, 180, 100, 20),
        (12, 530, 178, 104, -12),
        (14, 536, 180, 100, 0),
    )
)
_AT_THE_DOOR = Visit(
    (
        (0, 238, 292, 60, 0),
        (4, 226, 286, 92, 20),
        (8, 240, 282, 126, -25),
        (11, 230, 286, 130, 12),
        (14, 236, 290, 104, 0),
    )
)
_GARDEN_TALK = Visit(
    (
        (0, 190, 244, 28, 0),
        (3, 330, 236, 36, 15),
        (6, 466, 222, 48, -18),
        (9, 380, 204, 62, 25),
        (12, 300, 204, 72, -20),
        (14, 320, 206, 66, 0),
    )
)
_AT_THE_TABLE = Visit(
    ((0, 392, 168, 36, 0), (4, 402, 166, 40, 8), (9, 384, 168, 38, -10), (13, 394, 166, 36, 0)),
    None,
    (0.86, 0.74, 0.6),
)

_P1 = (
    Clip(
        "P1", "20260503_093000", 14.0, (_ROUTINES, "Tidying the kitchen table in the morning"),
        Setting(
            "kitchen", _WIDE, 101,
            (
                Thing("coffee_cup", 235, 312, 0.42, referent_id="P1-R1", label="coffee cup"),
                Thing("blue_box", 570, 306, 1.0, referent_id="P1-R2", label="blue box"),
                Thing("keys", 0, 0, 0.9, path=((5.5, 390, 352), (7.3, 574, 262))),
            ),
        ),
        (
            Line(0.8, "P1", "This cup is for my sister."),
            Line(4.6, "P1", "Now I put the keys in the blue box."),
            Line(9.2, "P1", "Please do not move that box."),
        ),
        (
            Narration(0.4, 3.0, "The wearer points at the coffee cup on the kitchen table."),
            Narration(3.3, 4.9, "The wearer looks at the keys beside the cup."),
            Narration(5.0, 7.8, "The wearer puts the keys into the blue box."),
            Narration(10.0, 12.2, "The wearer points at the blue box."),
        ),
        pointings=(
            Pointing(0, "This cup", "P1-R1", (242, 330)),
            Pointing(2, "that box", "P1-R2", (560, 322)),
        ),
        distractors=("keys", "spoon", "window", "cupboard", "tiled wall"),
        grips=(Grip(((5.4, 386, 360), (5.5, 386, 360), (7.3, 570, 270), (7.5, 570, 270))),),
    ),
    Clip(
        "P1", "20260503_093025", 14.0, (_SOCIAL, "A new neighbor comes to visit"),
        Setting(
            "living_room", _WIDE, 102,
            (
                Thing("cat_picture", 478, 100, 0.72, on_wall=True),
                Thing("umbrella", 246, 196, 0.95, 6, on_wall=True),
            ),
            (_APPROACH,),
        ),
        (
            Line(1.2, BYSTANDER, "Good morning, I am your new neighbor."),
            Line(4.2, "P1", "Nice to meet you."),
            Line(6.2, "P1", "The meeting starts at four today."),
            Line(9.8, BYSTANDER, "I will bring the yellow umbrella with me."),
        ),
        (
            Narration(0.2, 3.8, "A visitor in an orange suit comes up to the blue sofa."),
            Narration(4.0, 6.0, "The wearer greets the visitor in the living room."),
            Narration(6.2, 9.4, "The wearer talks about a meeting."),
            Narration(9.8, 12.6, "The visitor leans over the sofa next to the yellow umbrella."),
        ),
    ),
    Clip(
        "P1", "20260503_181500", 12.0, (_ROUTINES, "Coming home in the evening"),
        Setting(
            "evening_kitchen", _WIDE, 103,
            (Thing("green_bottle", 300, 260, 1.0), Thing("red_notebook", 470, 320, 0.9)),
        ),
        (Line(1.0, "P1", "I turn off the light in the kitchen."),),
        (),
        quirk=Quirk.TRUNCATED,
    ),
    Clip(
        "P1", "20260504_074000", 15.0, (_WORK, "Early work at the desk with a video call"),
        Setting(
            "desk", _WIDE, 104,
            (
                Thing("rocket_picture", 520, 118, 0.95, on_wall=True,
                      referent_id="P1-R4", label="rocket picture"),
                Thing("monitor", 262, 192),
                Thing("red_notebook", 492, 334, 1.0, referent_id="P1-R3", label="red notebook"),
            ),
            (_CALL,),
        ),
        (
            Line(0.8, "P1", "Remember this red notebook."),
            Line(4.4, "P1", "The office calls me every Monday."),
            Line(8.2, "P1", "That picture shows a rocket at night."),
            Line(12.2, "P1", "Lunch is at noon."),
        ),
        (
            Narration(0.8, 3.4, "The wearer points at the red notebook on the desk."),
            Narration(4.2, 7.2, "The wearer watches a video call on the monitor."),
            Narration(8.0, 10.4, "The wearer points at the rocket picture on the wall."),
            Narration(11.8, 14.6, "The wearer looks back at the monitor."),
        ),
        pointings=(
            Pointing(0, "this red notebook", "P1-R3", (498, 348)),
            Pointing(2, "That picture", "P1-R4", (520, 148)),
        ),
        distractors=("monitor", "monitor stand", "bookshelf", "desk"),
    ),
    Clip(
        "P1", "20260504_074022", 14.0, (_OUTINGS, "Walking along the street"),
        Setting(
            "street", _WIDE, 105,
            (Thing("car", 226, 276, 0.84, on_wall=True),),
            (_STREET_TALK,),
            walking=True,
        ),
        (
            Line(0.9, BYSTANDER, "You can park the car behind the school."),
            Line(4.6, "P1", "Yesterday I left my keys in the blue box."),
            Line(9.4, BYSTANDER, "The bakery opens at seven tomorrow."),
        ),
        (
            Narration(0.2, 3.6, "The visitor stands next to a grey car in the street."),
            Narration(4.4, 8.0, "The wearer walks towards the grey car."),
            Narration(9.2, 12.4, "The visitor talks and leans to the side."),
        ),
        quirk=Quirk.VARIABLE_RATE,
    ),
)  # fmt: skip

_P2 = (
    Clip(
        "P2", "20260509_141000", 14.0, (_WORK, "Looking at books in the library"),
        Setting(
            "library", _WIDE, 201,
            (
                Thing("cat_picture", 446, 128, 0.95, on_wall=True,
                      referent_id="P2-R2", label="cat picture"),
                Thing("green_book", 262, 322, 1.1, referent_id="P2-R1", label="green book"),
                Thing("plant", 610, 250, 0.8),
            ),
            sleeve_rgb=_JUMPER_RGB,
        ),
        (
            Line(0.8, "P2", "This book is about gardens and trees."),
            Line(5.0, "P2", "The cat in that picture is five years old."),
            Line(10.0, "P2", "The train leaves at half past six."),
        ),
        (
            Narration(0.4, 3.2, "The wearer points at the green book on the library table."),
            Narration(3.5, 4.9, "The wearer looks at the plant."),
            Narration(5.2, 8.2, "The wearer points at the cat picture."),
            Narration(9.8, 13.0, "The wearer talks about a train."),
        ),
        pointings=(
            Pointing(0, "This book", "P2-R1", (268, 338)),
            Pointing(1, "that picture", "P2-R2", (446, 158)),
        ),
        distractors=("plant", "left bookshelf", "right bookshelf", "table"),
        quirk=Quirk.TAGGED,
    ),
    Clip(
        "P2", "20260509_141022", 14.0, (_SOCIAL, "A visitor at the front door"),
        Setting(
            "hallway", _TALL, 202,
            (Thing("plant", 104, 470, 0.9),),
            (_AT_THE_DOOR,),
            _JUMPER_RGB,
        ),
        (
            Line(0.8, BYSTANDER, "Hello, I have a parcel for the school."),
            Line(2.1, "P2", "Put it next to the plant, please."),
            Line(6.0, BYSTANDER, "My sister lives in the green house."),
            Line(9.6, "P2", "Tell her the concert is on Friday."),
        ),
        (
            Narration(0.2, 3.0, "A visitor stands at the front door."),
            Narration(3.2, 5.4, "The wearer asks for the parcel to be put next to the plant."),
            Narration(6.0, 9.0, "The visitor comes close and tilts the head."),
            Narration(9.4, 12.6, "The wearer talks about a concert."),
        ),
        quirk=Quirk.PORTRAIT,
    ),
    Clip(
        "P2", "20260510_101500", 14.0, (_WORK, "Sorting tools in the workshop"),
        Setting(
            "workshop", _WIDE, 203,
            (
                Thing("phone_note", 560, 128, 0.95, -3, on_wall=True),
                Thing("scissors", 250, 330, 1.15, 12, referent_id="P2-R3", label="scissors"),
                Thing("yellow_box", 500, 300, 1.05, referent_id="P2-R4", label="yellow box"),
            ),
            sleeve_rgb=_JUMPER_RGB,
        ),
        (
            Line(0.8, "P2", "I need those scissors for the rope."),
            Line(5.0, "P2", "The hammer goes in this yellow box."),
            Line(9.6, "P2", "The plumber will call me on Sunday."),
        ),
        (
            Narration(0.6, 3.4, "The wearer points at the scissors on the workbench."),
            Narration(5.6, 8.2, "The wearer points at the yellow box."),
            Narration(9.4, 12.6, "The wearer reads the note with the phone number of the plumber."),
        ),
        pointings=(
            Pointing(0, "those scissors", "P2-R3", (262, 338)),
            Pointing(1, "this yellow box", "P2-R4", (490, 318)),
        ),
        distractors=("note on the wall", "pegboard", "red tool", "blue tool", "workbench"),
        quirk=Quirk.NO_CREATION_TIME,
    ),
    Clip(
        "P2", "20260510_101520", 14.0, (_OUTINGS, "A talk over the hedge in the garden"),
        Setting(
            "garden", _WIDE, 204,
            (),
            (_GARDEN_TALK,),
            _JUMPER_RGB,
            walking=True,
        ),
        (
            Line(0.8, BYSTANDER, "I will water the roses every morning."),
            Line(4.8, "P2", "The red ladder is under the apple tree."),
            Line(9.4, BYSTANDER, "We have a picnic on Saturday."),
        ),
        (
            Narration(0.2, 3.8, "The visitor walks along the white fence."),
            Narration(4.6, 8.0, "The wearer looks at the tree in the garden."),
            Narration(9.0, 12.4, "The visitor comes to the hedge and talks about a picnic."),
        ),
    ),
    Clip(
        "P2", "20260510_193000", 13.0, (_ROUTINES, "Clearing the kitchen table in the evening"),
        Setting(
            "evening_kitchen", _WIDE, 205,
            (
                Thing("green_bottle", 250, 262, 1.1, referent_id="P2-R5", label="green bottle"),
                Thing("coffee_cup", 500, 314, 0.4, referent_id="P2-R6", label="coffee cup"),
            ),
            (_AT_THE_TABLE,),
            _JUMPER_RGB,
        ),
        (
            Line(0.8, "P2", "This bottle is empty now."),
            Line(4.6, "P2", "That cup belongs to my brother."),
            Line(8.8, "P2", "Tomorrow I will buy bread and milk."),
        ),
        (
            Narration(0.4, 3.0, "The wearer points at the green bottle on the table."),
            Narration(4.4, 6.8, "The wearer points at the coffee cup."),
            Narration(8.6, 11.8, "The wearer talks about shopping to the visitor at the table."),
        ),
        pointings=(
            Pointing(0, "This bottle", "P2-R5", (252, 300)),
            Pointing(1, "That cup", "P2-R6", (504, 330)),
        ),
        distractors=("window", "cupboard", "tiled wall", "table"),
        rejected_xy_px=(("P2-R6", 200.0, 300.0),),
    ),
)  # fmt: skip

CLIPS = _P1 + _P2

"""The browser application in which people review what the machine proposes."""

from firsthand.review_app.announcing import AnnouncementError, Announcer, Send
from firsthand.review_app.archive import Archive
from firsthand.review_app.bridges import Recorded, answers_recorded, tasks_for
from firsthand.review_app.desk import Selection
from firsthand.review_app.server import create_app, reviewers_of, serve
from firsthand.review_app.whereabouts import served_at

__all__ = [
    "AnnouncementError",
    "Announcer",
    "Archive",
    "Recorded",
    "Selection",
    "Send",
    "answers_recorded",
    "create_app",
    "reviewers_of",
    "serve",
    "served_at",
    "tasks_for",
]

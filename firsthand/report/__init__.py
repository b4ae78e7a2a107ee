"""What people read: the leaderboard page, its plots, the quality table, the dataset card."""

from firsthand.report.leaderboard import EvaluatedRun, leaderboard_table
from firsthand.report.page import LeaderboardPage, leaderboard_page

__all__ = ["EvaluatedRun", "LeaderboardPage", "leaderboard_page", "leaderboard_table"]

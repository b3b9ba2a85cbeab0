"""Errors, spellings and what else every file may use."""

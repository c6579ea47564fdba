"""Predictions held against published numbers."""

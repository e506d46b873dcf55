"""Telling what a number measures, by which words."""

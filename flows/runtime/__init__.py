"""Shared by all flows: settings, opening the lake, progress, variables of the environment, web servers, forks."""

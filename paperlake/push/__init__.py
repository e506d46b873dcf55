"""Pushes the latest release to a dataset repository of the Hub, where one commit is one release."""

"""Texts that commands print of a lake: releases, one paper, papers found, status, receipts."""

"""What commands read from a lake and print: releases, one paper, papers found, status, receipts."""

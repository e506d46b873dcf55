"""Erasing a person: how logins and names are masked in texts and captured pages, and the ledger of erased people."""

from typing import Final

# Records of erasures, of what changed in releases, and which hash replaced which; the name of each begins with the id
# that the person's entry has in the ledger. `latest.json` names each record with its hash, and every move passes the
# names on: what has another hash than expected is damaged, unless a record says so
RECORDS: Final = "log/erasures"

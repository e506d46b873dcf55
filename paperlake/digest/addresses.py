"""Addresses: how they are written, which mailbox they lead to, and the network that a request comes from."""

from ipaddress import IPv6Address, ip_address, ip_network
from types import MappingProxyType
from typing import Final

import idna

from flows.runtime.setting_types import MAILBOX
from warehouse.errors import UsageError

MOST_ADDRESS: Final = 254  # of RFC 5321
ONE_HOST: Final = MappingProxyType(
    {
        "googlemail.com": "gmail.com",
        "protonmail.com": "proton.me",
        "pm.me": "proton.me",
        "me.com": "icloud.com",
        "mac.com": "icloud.com",
    }
)
NOT_READ: Final = MappingProxyType({"gmail.com": ".", "proton.me": ".-_"})  # characters that the provider ignores
IPV4_NETWORK: Final = 24  # bits: what a small provider or an office has
IPV6_NETWORK: Final = 48  # what one site is given


def address_of(text: str) -> str:
    """An address that a relay takes, its host in lower case and in ASCII.

    >>> address_of(" Ada@Example.ORG "), address_of("ada@bücher.example")
    ('Ada@example.org', 'ada@xn--bcher-kva.example')
    """
    mailbox, _, host = text.strip().rpartition("@")
    try:
        address = f"{mailbox}@{host.lower() if host.isascii() else idna.encode(host, uts46=True).decode()}"
    except idna.IDNAError:
        address = ""
    if len(address) > MOST_ADDRESS or not MAILBOX.fullmatch(address):
        raise UsageError("that is not a mail address; before the @ it may have ASCII characters only")
    return address


def mailbox_of(address: str) -> str:
    """The mailbox that an address leads to: without a tag, and as the provider reads it.

    >>> mailbox_of("Ada.Lund+papers@GoogleMail.com"), mailbox_of("ada.lund+x@example.org")
    ('adalund@gmail.com', 'ada.lund@example.org')
    """
    name, _, host = address.casefold().rpartition("@")
    host = ONE_HOST.get(host, host)
    name = name.partition("+")[0] or name
    return f"{name.translate(dict.fromkeys(map(ord, NOT_READ.get(host, ''))))}@{host}"


def network_of(host: str) -> str:
    """By what requests are counted: the network of a client's IP.

    >>> network_of("198.51.100.7"), network_of("::ffff:198.51.100.7"), network_of("2001:db8:1:2::7")
    ('198.51.100.0/24', '198.51.100.0/24', '2001:db8:1::/48')
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    bits = IPV6_NETWORK if isinstance(address, IPv6Address) else IPV4_NETWORK
    return str(ip_network((address, bits), strict=False))

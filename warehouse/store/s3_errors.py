"""Errors of an object store, or of the network on the way to it, as the next step for a person.

Only the code of an answer is shown: messages of servers quote what was sent to them.
"""

from __future__ import annotations

from typing import Final

from aiohttp import ClientError as TransferError
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConfigNotFound,
    CredentialRetrievalError,
    NoCredentialsError,
    PartialCredentialsError,
    ProfileNotFound,
    ProxyConnectionError,
    SSLError,
)
from botocore.parsers import ResponseParserError

# All that a request may raise.
FAILURES: Final = (OSError, ClientError, BotoCoreError, ResponseParserError, TransferError)

MISSING: Final = {"NoSuchKey", "404"}
TAKEN: Final = {"PreconditionFailed", "412"}
GONE: Final = {"NoSuchUpload"}  # an upload in parts that was completed, or given up
CONFLICT: Final = {"ConditionalRequestConflict", "OperationAborted", "409"}
OUT_OF_RANGE: Final = {"InvalidRange", "416"}

RIGHTS: Final = (
    "access denied; give the owner of PAPERLAKE_S3_ACCESS_KEY_ID the rights to list, read, write and delete there"
)
REGION: Final = "the bucket is in another region; set PAPERLAKE_S3_REGION"
EXPIRED: Final = "the credentials have expired or are no longer valid; renew them"
BUSY: Final = "the store failed or is too busy, again and again; look at the store, then run again"
STEPS: Final = {
    "NoSuchBucket": "there is no such bucket; create it, or correct PAPERLAKE_LAKE or PAPERLAKE_S3_ENDPOINT_URL",
    "InvalidBucketName": "that is not a valid name of a bucket; correct PAPERLAKE_LAKE",
    "InvalidAccessKeyId": "the store does not know the access key id; correct PAPERLAKE_S3_ACCESS_KEY_ID",
    "SignatureDoesNotMatch": "the secret does not fit the access key id; correct PAPERLAKE_S3_SECRET_ACCESS_KEY",
    "RequestTimeTooSkewed": "the clock of this machine and the store's are too far apart; set the clock",
    "AccessDenied": RIGHTS,
    "AllAccessDisabled": RIGHTS,
    "403": RIGHTS,
    "ExpiredToken": EXPIRED,
    "InvalidToken": EXPIRED,
    "TokenRefreshRequired": EXPIRED,
    "AuthorizationHeaderMalformed": REGION,
    "IllegalLocationConstraintException": REGION,
    "PermanentRedirect": REGION,
    "301": REGION,
    "SlowDown": BUSY,
    "ServiceUnavailable": BUSY,
    "InternalError": BUSY,
    "500": BUSY,
    "502": BUSY,
    "503": BUSY,
    "504": BUSY,
    "KeyTooLongError": "the name is too long for the store",
    "QuotaExceeded": "the quota of the bucket is used up; free space there, then run again",
    "InsufficientStorage": "the store is full; free space there, then run again",
}
SETTINGS: Final = (
    NoCredentialsError,
    PartialCredentialsError,
    ProfileNotFound,
    ConfigNotFound,
    SSLError,
    ResponseParserError,
)
# Errors on the way to the server, by the first class that fits. `{0}` is the endpoint.
WAYS: Final = (
    (
        NoCredentialsError | PartialCredentialsError | CredentialRetrievalError,
        "no credentials; set PAPERLAKE_S3_ACCESS_KEY_ID and PAPERLAKE_S3_SECRET_ACCESS_KEY",
    ),
    (ProfileNotFound | ConfigNotFound, "the AWS profile cannot be found; correct AWS_PROFILE"),
    (SSLError, "no secure connection to {0}; see its certificate, and http or https in PAPERLAKE_S3_ENDPOINT_URL"),
    (ProxyConnectionError, "the proxy cannot be reached; correct HTTPS_PROXY or HTTP_PROXY"),
    (ResponseParserError, "{0} does not answer as an object store; correct PAPERLAKE_S3_ENDPOINT_URL"),
    (Exception, "{0} cannot be reached, or broke off; see the network and PAPERLAKE_S3_ENDPOINT_URL, then run again"),
)


def code_of(error: Exception) -> str:
    """The code that the server gave; empty where the error is no answer of a server."""
    return str(error.response.get("Error", {}).get("Code", "")) if isinstance(error, ClientError) else ""


def may_pass(error: Exception) -> bool:
    """Whether the same request may succeed later with the same settings."""
    if code := code_of(error):
        return STEPS.get(code, BUSY) is BUSY
    return not isinstance(error, SETTINGS)


def next_step(error: Exception, endpoint: str) -> str:
    """What to look at, for any of `FAILURES`."""
    if code := code_of(error):
        return STEPS.get(code, f"the store refused with {code}; see whether PAPERLAKE_S3_ENDPOINT_URL is right")
    return next(step for kind, step in WAYS if isinstance(error, kind)).format(endpoint)

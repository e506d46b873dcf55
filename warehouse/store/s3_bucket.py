"""One bucket through s3fs: single requests, their retries, and conditional writes that say who won; its errors.

s3fs's own file methods are not used: they hide the ETag, and ask for more than is needed (a HEAD before each GET).
An error of the store, or of the network on the way to it, becomes the next step for a person. Only the code of an
answer is shown: messages of servers quote what was sent to them.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from typing import Any, BinaryIO, Final, TypeAlias

from aiobotocore.session import AioSession
from aiohttp import ClientError as TransferError
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConfigNotFound,
    CredentialRetrievalError,
    InvalidRegionError,
    NoCredentialsError,
    PartialCredentialsError,
    ProfileNotFound,
    ProxyConnectionError,
    SSLError,
    UnknownEndpointError,
)
from botocore.parsers import ResponseParserError
from fsspec.asyn import sync
from s3fs import S3FileSystem

from warehouse.store.objects import S3Options

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
    InvalidRegionError,
    SSLError,
    UnknownEndpointError,
    ResponseParserError,
)
# Errors on the way to the server, by the first class that fits. `{0}` is the endpoint.
WAYS: Final = (
    (
        NoCredentialsError | PartialCredentialsError | CredentialRetrievalError,
        "no credentials; set PAPERLAKE_S3_ACCESS_KEY_ID and PAPERLAKE_S3_SECRET_ACCESS_KEY",
    ),
    (ProfileNotFound | ConfigNotFound, "the AWS profile cannot be found; correct AWS_PROFILE"),
    (InvalidRegionError, "AWS has no such region; correct AWS_DEFAULT_REGION, or set PAPERLAKE_S3_REGION"),
    (UnknownEndpointError, "its endpoint is no URL; correct AWS_ENDPOINT_URL, or set PAPERLAKE_S3_ENDPOINT_URL"),
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
    """The next step for a user, for any of `FAILURES`."""
    if code := code_of(error):
        return STEPS.get(code, f"the store refused with {code}; see whether PAPERLAKE_S3_ENDPOINT_URL is right")
    return next(step for kind, step in WAYS if isinstance(error, kind)).format(endpoint)


S3Answer: TypeAlias = dict[str, Any]
Mark: TypeAlias = dict[str, str]

WRITER: Final = "paperlake-write"  # metadata of an object: which write made it
PAUSE_SECONDS: Final = 0.2  # before the second try; doubled each time
# SeaweedFS 4.48 looks whether a key is taken and then joins the parts: of uploads that end within 0.1 s of each other
# each is answered that it won, and the last one stands. Other servers need no such time.
SETTLE_SECONDS: Final = 1.0
# A field that every answer of S3 has, and the welcome page of a router has not.
SIGNS: Final = {
    "get_object": "ETag",
    "put_object": "ETag",
    "upload_part": "ETag",
    "copy_object": "CopyObjectResult",
    "list_objects_v2": "IsTruncated",
}
DELETED_AT_ONCE: Final = 1000  # S3's own limit


@cache
def models() -> AioSession:
    """A session with botocore's model of S3's API, loaded once a process: it is half of a client's time, and some MB.

    It holds no credentials: those are the client's.
    """
    return AioSession()


class Bucket:
    """One bucket. Raises one of `FAILURES` where retries did not help; what the server refused is a ClientError."""

    def __init__(self, name: str, options: S3Options) -> None:
        self._name = name
        self._attempts = options.attempts
        self._fs = S3FileSystem(
            endpoint_url=options.endpoint_url,
            key=options.access_key_id,
            secret=options.secret_access_key,
            client_kwargs={"region_name": options.region} if options.region else {},
            config_kwargs={
                "connect_timeout": options.connect_seconds,
                "read_timeout": options.read_seconds,
                # lost connections, throttling and 5xx, after pauses that grow
                "retries": {"mode": "standard", "total_max_attempts": options.attempts},
            },
            session=models(),
            skip_instance_cache=True,  # it would keep the secret and the connections as long as the process lives
        )
        self._fs.retries = 1  # s3fs's own retries would multiply botocore's

    def ask(self, method: str, **request: object) -> S3Answer:
        """One request of the S3 API, by the API's own names."""
        try:
            answer: S3Answer = self._fs.call_s3(method, Bucket=self._name, **request)
        except OSError as error:  # s3fs gives many codes of the server one errno; the code itself is in the cause
            raise error.__cause__ if isinstance(error.__cause__, ClientError) else error from None
        except BotoCoreError:
            raise
        except ValueError as error:  # so aiobotocore refuses an endpoint of the AWS chain that is no URL
            raise UnknownEndpointError(service_name="s3", region_name="") from error
        if SIGNS.get(method, "ResponseMetadata") not in answer:
            raise ResponseParserError(f"{method} was answered without what every object store says")
        return answer

    def get(self, *, attempt: int = 1, **request: object) -> tuple[bytes, S3Answer]:
        """The body of an object, and the rest of the answer; requested again where the transfer broke off."""
        answer = self.ask("get_object", **request)
        try:
            return sync(self._fs.loop, answer["Body"].read), answer
        except FAILURES:
            answer["Body"].close()
            if attempt >= self._attempts:
                raise
        time.sleep(PAUSE_SECONDS * 2**attempt)
        return self.get(attempt=attempt + 1, **request)

    def keys(self, prefix: str) -> Iterator[tuple[str, int]]:
        """The keys with a prefix and their bytes, listed a thousand a request."""
        request = {"Prefix": prefix}
        while True:
            page = self.ask("list_objects_v2", **request)
            yield from ((found["Key"], found["Size"]) for found in page.get("Contents", ()))
            if not page.get("IsTruncated"):
                return
            request["ContinuationToken"] = page["NextContinuationToken"]

    def delete(self, keys: Sequence[str]) -> None:
        """Remove objects, a thousand a request."""
        for start in range(0, len(keys), DELETED_AT_ONCE):
            objects = [{"Key": key} for key in keys[start : start + DELETED_AT_ONCE]]
            answer = self.ask("delete_objects", Delete={"Objects": objects, "Quiet": True})
            for error in answer.get("Errors", ()):
                raise ClientError({"Error": error}, "DeleteObjects")

    def abort_uploads(self, prefix: str) -> None:
        """Give up every upload in parts that was begun under a prefix: a killed process leaves its parts stored."""
        while uploads := self.ask("list_multipart_uploads", Prefix=prefix).get("Uploads", ()):
            for begun in uploads:
                self.ask("abort_multipart_upload", Key=begun["Key"], UploadId=begun["UploadId"])

    def put_if(self, key: str, data: bytes, **request: str) -> bool:
        """Write an object if the server finds the condition (`IfNoneMatch`, `IfMatch`) of the request to hold."""
        return self._wins(key, lambda mark: self.ask("put_object", Key=key, Body=data, Metadata=mark, **request))

    def copy_new(self, source_key: str, key: str, content_type: str) -> bool:
        """Copy an object inside the server (up to 5 GiB), unless the key is taken."""
        source = {"Bucket": self._name, "Key": source_key}
        request = {"Key": key, "CopySource": source, "MetadataDirective": "REPLACE", "IfNoneMatch": "*"}
        request["ContentType"] = content_type
        return self._wins(key, lambda mark: self.ask("copy_object", Metadata=mark, **request))

    def upload_new(self, key: str, file: BinaryIO, part_bytes: int) -> bool:
        """Write a file in parts, one in memory at a time, unless the key is taken when the last part is there."""
        return self._wins(key, lambda mark: self._upload(key, file, part_bytes, mark), settle=SETTLE_SECONDS)

    def _upload(self, key: str, file: BinaryIO, part_bytes: int, mark: Mark) -> None:
        file.seek(0)
        parts: list[S3Answer] = []
        upload = {"Key": key, "UploadId": self.ask("create_multipart_upload", Key=key, Metadata=mark)["UploadId"]}
        with ExitStack() as undo:
            undo.callback(self._abort, upload)
            while body := file.read(part_bytes):
                part = {"PartNumber": len(parts) + 1}
                parts.append({**part, "ETag": self.ask("upload_part", Body=body, **part, **upload)["ETag"]})
            self.ask("complete_multipart_upload", MultipartUpload={"Parts": parts}, IfNoneMatch="*", **upload)
            # It is complete: nothing is left to give up
            undo.pop_all()

    def _abort(self, upload: S3Answer) -> None:
        """Give an upload up, if that can be done: its parts are stored, and paid for, until then."""
        with suppress(*FAILURES):
            self.ask("abort_multipart_upload", **upload)

    def _wins(self, key: str, write: Callable[[Mark], object], *, settle: float = 0, attempt: int = 1) -> bool:
        """Do a conditional write: of several racing ones exactly one wins.

        When an answer is lost the request is sent again, and then refused because of what it wrote the first time:
        the mark on the object says whose it is.
        """
        mark = {WRITER: secrets.token_hex(16)}
        try:
            write(mark)
        except ClientError as error:
            code = code_of(error)
            if code in TAKEN | GONE and self._bears(key, mark):
                return True
            if code in TAKEN:
                return False
            if code not in CONFLICT or attempt >= self._attempts:
                raise
        else:
            # SeaweedFS checks the condition of an upload in parts a moment before it joins them: look who is there
            time.sleep(settle)
            return settle == 0 or self._bears(key, mark)
        time.sleep(PAUSE_SECONDS * 2**attempt)
        return self._wins(key, write, settle=settle, attempt=attempt + 1)

    def _bears(self, key: str, mark: Mark) -> bool:
        try:
            found = self.ask("head_object", Key=key)
        except ClientError as error:
            if code_of(error) not in MISSING:
                raise
            return False
        return bool(found.get("Metadata", {}).get(WRITER) == mark[WRITER])

"""The object store, on disk or in S3. It knows keys and bytes, never what they mean."""

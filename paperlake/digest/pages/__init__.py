"""The pages on which people subscribe, choose and unsubscribe, and what they may choose."""

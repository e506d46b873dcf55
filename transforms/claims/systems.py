from transforms.claims.found import System
def system_of(title: str, abstract: str) -> System | None:
    return None

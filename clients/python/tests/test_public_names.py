import unittest

from tests.public_names import FILE, list_public_names


class PublicNames(unittest.TestCase):
    def test_change_only_together_with_their_list(self) -> None:
        self.assertEqual(list_public_names(), FILE.read_text(encoding="utf-8"))

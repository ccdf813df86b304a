"""What is signed, and in which form."""

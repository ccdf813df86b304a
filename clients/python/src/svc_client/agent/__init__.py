"""What an agent does: sign its requests, present itself, answer challenges."""

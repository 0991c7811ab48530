"""What an operation's record is, and how records are found."""

"""What choosing an option would change, as far as the one who decides may know it: played on a copy that stops at anything hidden, at
chance, and at what somebody else decides; and the same in short words beside the options."""

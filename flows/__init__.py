"""What happens in which order; a flow reads as a table of contents."""

"""One reader a file for what monitors, load generators and servers write."""

"""Model files of JMT (JMVA), read and written."""

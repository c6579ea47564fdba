"""Marie's method: each station beyond product form in isolation, by conditional throughputs."""

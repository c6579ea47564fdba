"""The off-peak timetable: when batch tasks run so that users wait least at the worst hour."""

"""The off-peak timetable: when batch tasks run so that the worst hour is as fast as can be."""

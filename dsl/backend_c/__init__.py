"""The machine as C: compiled beside Python where there is a compiler, for playing many games."""

// Loaded first of all: takes the run's key, before the project's own set-up can.
"use strict";
require("./channel.cjs").takeKey();

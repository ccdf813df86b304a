import fc from 'fast-check'

// Loaded before the tests while Stryker changes the code. Every run gets the same random cases, so that whether a change is
// noticed does not depend on luck. A property gets one second and stops at its first failing case, because there are
// thousands of runs.
fc.configureGlobal({ seed: 1, endOnFailure: true, interruptAfterTimeLimit: 1000 })

import fc from 'fast-check'

// Loaded before the tests while Stryker changes the code. Every run gets the same random cases, so that it is the tests
// that notice a change and not luck; and there are thousands of runs, so a property gets one second and stops at its
// first failing case.
fc.configureGlobal({ seed: 1, endOnFailure: true, interruptAfterTimeLimit: 1000 })

/** How often it is asked what waits: by the menu, and by the lists behind it, which must not tell otherwise. */
export const waitingEveryMs = 10_000

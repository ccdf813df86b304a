/** How long nothing is typed before it is looked for. */
export const typingPauseMs = 300

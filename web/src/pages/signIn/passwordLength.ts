/** Minimum length of a password, which the service enforces too. */
export const PASSWORD_LENGTH_MIN = 10

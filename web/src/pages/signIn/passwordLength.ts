/** Minimum length of a password, which the service enforces too. Source: api.md "Accounts". */
export const PASSWORD_LENGTH_MIN = 10

/** Fewest characters of a password; the service says so as well. Source: api.md "Accounts". */
export const PASSWORD_LENGTH_MIN = 10

/** What the operator is told when somebody else listens on the port. */
export function portTaken(port: number, cause: Error): Error {
  return new Error(`Port ${port} is taken: set PORT to another one`, { cause })
}

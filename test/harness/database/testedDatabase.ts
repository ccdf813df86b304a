export type TestedDatabase = 'sqlite' | 'postgres'

/** The database that this run of the tests is for: SQLite, or what TEST_DATABASE says. */
export const testedDatabase: TestedDatabase = read(process.env.TEST_DATABASE ?? 'sqlite')

function read(given: string): TestedDatabase {
  if (given !== 'sqlite' && given !== 'postgres')
    throw new Error(`TEST_DATABASE is ${given}: sqlite or postgres`)
  return given
}

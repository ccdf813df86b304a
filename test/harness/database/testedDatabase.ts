export type TestedDatabase = 'sqlite' | 'postgres'

/** The kind of database that this run tests: SQLite unless TEST_DATABASE says otherwise. */
export const testedDatabase: TestedDatabase = read(process.env.TEST_DATABASE ?? 'sqlite')

function read(given: string): TestedDatabase {
  if (given !== 'sqlite' && given !== 'postgres')
    throw new Error(`TEST_DATABASE is ${given}, expected sqlite or postgres`)
  return given
}

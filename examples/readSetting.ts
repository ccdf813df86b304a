/**
 * Returns a setting from the environment, or its default; without either, the program exits with a message that says what
 * to do.
 */
export function readSetting(name: string, fallback?: string): string {
  const value = process.env[name] || fallback
  if (value !== undefined) return value
  console.error(`${name} is not set. See examples/README.md: setup.ts prints a file with all settings.`)
  process.exit(1)
}

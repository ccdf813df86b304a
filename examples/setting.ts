/**
 * A setting from the environment, or its default; without either the program ends with a sentence that says what to do.
 */
export function setting(name: string, fallback?: string): string {
  const value = process.env[name] || fallback
  if (value !== undefined) return value
  console.error(`${name} is not set. See examples/README.md: setup.ts makes a file with all settings.`)
  process.exit(1)
}

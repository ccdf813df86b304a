/** Reads text fields of a form by name; empty if the form does not have the field. */
export function readFields<Name extends string>(
  form: HTMLFormElement,
  ...names: Name[]
): Record<Name, string> {
  const data = new FormData(form)
  const values = names.map((name) => [name, String(data.get(name) ?? '')])
  return Object.fromEntries(values) as Record<Name, string>
}

/** The variables that are set. An empty string is what a shell or a compose file leaves of a variable nobody set. */
export function presentVariables(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const isSet = (entry: [string, string | undefined]): entry is [string, string] =>
    entry[1] !== undefined && entry[1] !== '';
  return Object.fromEntries(Object.entries(env).filter(isSet));
}

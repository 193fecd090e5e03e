/** The third starts empty, for the real data set. */
export const organisations = [
  { organisation_id: 1, name: "Riverside Arts Centre" },
  { organisation_id: 2, name: "Northern Lights Festival" },
  { organisation_id: 1842, name: "New York Philharmonic" },
] as const;

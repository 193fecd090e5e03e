interface Request {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: string | undefined;
}

export function requestOf(route: {
  address: string;
  method: string;
  path: string;
  parameters: { name: string; in: string; isRequired: boolean; value?: string }[];
  body: string | undefined;
}): Request;

export const samples: Record<string, (request: Request, credential: string) => string>;

/**
 * Matches an Authorization header with a signed token (RFC 7515, 3.1), and no API key. API Gateway applies it before any of our code
 * runs.
 */
export const idTokenPattern = "^[Bb][Ee][Aa][Rr][Ee][Rr] +[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$";

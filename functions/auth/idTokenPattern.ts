/**
 * The whole Authorization header of what has the form of a signed token (RFC 7515, 3.1), as a regular expression: API Gateway tests
 * it before any of our code runs. No API key has that form.
 */
export const idTokenPattern = "^[Bb][Ee][Aa][Rr][Ee][Rr] +[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$";

/** The settings of a stage with every feature that a setting turns on. */
export const allFeatures = {
  stage: "prod",
  domainName: "tickets.example.org",
  certificateArn: "arn:aws:acm:us-east-1:123456789012:certificate/0a1b",
  backupVaultArn: "arn:aws:backup:eu-central-1:444455556666:backup-vault:ticketing-copies",
  signInEmail: "no-reply@example.org",
  feedSenders: "111122223333 arn:aws:iam::444455556666:role/core-system",
  alarmEmails: "ada@example.org grace@example.org",
  monthlyBudget: "500",
};

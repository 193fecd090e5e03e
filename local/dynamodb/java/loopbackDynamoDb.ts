import { mainClass } from "./mainClass.ts";

export const loopbackDynamoDbName = "LoopbackDynamoDb";

const jetty = "org/eclipse/jetty/server";
const dynamoDb = "software/amazon/dynamodb/services/local/server";

/**
 * Replaces DynamoDB Local's own main class, which always listens on all interfaces and outlives its parent. This one listens on the
 * loopback interface, prints its port, and exits when its standard input closes, even if its parent was killed. It is assembled here
 * because a Java runtime has no compiler.
 *
 *     Server server = new Server();
 *     ServerConnector connector = new ServerConnector(server);
 *     connector.setHost("127.0.0.1");
 *     server.addConnector(connector);
 *     boolean inMemory = Boolean.getBoolean("inMemory");
 *     String directory = System.getProperty("directory");
 *     boolean isShared = true, delaysStatuses = false;
 *     String corsOrigins = null;
 *     server.setHandler(new LocalDynamoDBServerHandler(
 *         new LocalDynamoDBRequestHandler(0, inMemory, directory, isShared, delaysStatuses), corsOrigins));
 *     server.start();
 *     System.out.println(connector.getLocalPort());
 *     System.in.read();
 *     Runtime.getRuntime().halt(0);
 */
export const loopbackDynamoDb = mainClass(
  loopbackDynamoDbName,
  `
  new ${jetty}/Server
  dup
  invokespecial ${jetty}/Server.<init>:()V
  astore_1
  new ${jetty}/ServerConnector
  dup
  aload_1
  invokespecial ${jetty}/ServerConnector.<init>:(L${jetty}/Server;)V
  astore_2
  aload_2
  ldc_w 127.0.0.1
  invokevirtual ${jetty}/ServerConnector.setHost:(Ljava/lang/String;)V
  aload_1
  aload_2
  invokevirtual ${jetty}/Server.addConnector:(L${jetty}/Connector;)V
  aload_1
  new ${dynamoDb}/LocalDynamoDBServerHandler
  dup
  new ${dynamoDb}/LocalDynamoDBRequestHandler
  dup
  iconst_0
  ldc_w inMemory
  invokestatic java/lang/Boolean.getBoolean:(Ljava/lang/String;)Z
  ldc_w directory
  invokestatic java/lang/System.getProperty:(Ljava/lang/String;)Ljava/lang/String;
  iconst_1
  iconst_0
  invokespecial ${dynamoDb}/LocalDynamoDBRequestHandler.<init>:(IZLjava/lang/String;ZZ)V
  aconst_null
  invokespecial ${dynamoDb}/LocalDynamoDBServerHandler.<init>:(L${dynamoDb}/DynamoDBRequestHandler;Ljava/lang/String;)V
  invokevirtual ${jetty}/Server.setHandler:(L${jetty}/Handler;)V
  aload_1
  invokevirtual ${jetty}/Server.start:()V
  getstatic java/lang/System.out:Ljava/io/PrintStream;
  aload_2
  invokevirtual ${jetty}/ServerConnector.getLocalPort:()I
  invokevirtual java/io/PrintStream.println:(I)V
  getstatic java/lang/System.in:Ljava/io/InputStream;
  invokevirtual java/io/InputStream.read:()I
  pop
  invokestatic java/lang/Runtime.getRuntime:()Ljava/lang/Runtime;
  iconst_0
  invokevirtual java/lang/Runtime.halt:(I)V
  return`,
);

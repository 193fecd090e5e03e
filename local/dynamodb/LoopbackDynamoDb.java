import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * Replaces DynamoDB Local's own main class, which always listens on all interfaces and outlives its parent. This one listens on the loopback
 * interface, prints its port, and exits when its standard input closes, even if its parent was killed.
 *
 * The compiled class is committed, because a Java runtime has no compiler. From DynamoDB Local's directory in node_modules:
 * javac --release 17 -g:none -cp "DynamoDBLocal.jar:DynamoDBLocal_lib/*" -d DIRECTORY LoopbackDynamoDb.java
 */
public class LoopbackDynamoDb {
  public static void main(String[] arguments) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    boolean inMemory = Boolean.getBoolean("inMemory");
    String directory = System.getProperty("directory");
    boolean isShared = true;
    boolean delaysStatuses = false;
    String corsOrigins = null;
    server.setHandler(new LocalDynamoDBServerHandler(
        new LocalDynamoDBRequestHandler(0, inMemory, directory, isShared, delaysStatuses), corsOrigins));
    server.start();
    System.out.println(connector.getLocalPort());
    System.in.read();
    Runtime.getRuntime().halt(0);
  }
}

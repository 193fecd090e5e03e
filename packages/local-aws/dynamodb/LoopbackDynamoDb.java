import java.io.File;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import software.amazon.awssdk.services.dynamodb.model.ListTablesRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * Replaces DynamoDB Local's own main class, which always listens on all interfaces and outlives its parent. This one listens on the loopback
 * interface, prints its port, and exits when its standard input closes, even if its parent was killed. A directory has one process at a time,
 * and needs free space for writes.
 *
 * The compiled class is committed, because a Java runtime has no compiler. From DynamoDB Local's directory in node_modules:
 * javac --release 17 -g:none -cp "DynamoDBLocal.jar:DynamoDBLocal_lib/*" -d DIRECTORY LoopbackDynamoDb.java
 */
public class LoopbackDynamoDb {
  /** The system's lock on this file ends with the process, however it ends. */
  private static FileChannel lockFile;

  public static void main(String[] arguments) throws Exception {
    boolean inMemory = Boolean.getBoolean("inMemory");
    String directory = System.getProperty("directory");
    if (!inMemory) lock(Path.of(directory, "service.lock"));
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    String corsOrigins = null;
    Handler handler = new LocalDynamoDBServerHandler(new CommittedRequests(inMemory, directory), corsOrigins);
    server.setHandler(new HostGuard(inMemory ? handler : new SpaceGuard(handler, new File(directory))));
    server.start();
    System.out.println(connector.getLocalPort());
    System.in.read();
    Runtime.getRuntime().halt(0);
  }

  /**
   * Responds to a transaction when it is committed: DynamoDB Local only queues the commit, so that an acknowledged transaction was lost if
   * the process was killed. The next read waits in the same queue.
   */
  private static class CommittedRequests extends LocalDynamoDBRequestHandler {
    CommittedRequests(boolean inMemory, String directory) throws Exception {
      super(0, inMemory, directory, true, false);
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(String key, String region, TransactWriteItemsRequest request) {
      TransactWriteItemsResponse response = super.transactWriteItems(key, region, request);
      listTables(key, region, ListTablesRequest.builder().limit(1).build());
      return response;
    }
  }

  /** A page whose name resolves to this machine must not reach the database through a browser. */
  private static class HostGuard extends Handler.Wrapper {
    HostGuard(Handler handler) {
      super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      if (List.of("localhost", "127.0.0.1", "[::1]").contains(Request.getServerName(request).toLowerCase())) {
        return super.handle(request, response, callback);
      }
      String message = "The Host header must be one of localhost, 127.0.0.1, [::1].";
      return refuse(response, 403, "com.amazon.coral.service#AccessDeniedException", message, callback);
    }
  }

  private static boolean refuse(Response response, int status, String type, String message, Callback callback) {
    response.setStatus(status);
    response.getHeaders().put("Content-Type", "application/x-amz-json-1.0");
    Content.Sink.write(response, true, "{\"__type\":\"" + type + "\",\"message\":\"" + message + "\"}", callback);
    return true;
  }

  /** Refuses writes on a nearly full disk: DynamoDB Local acknowledges writes that SQLite then cannot store. */
  private static class SpaceGuard extends Handler.Wrapper {
    private final File directory;
    private final long minimumFreeBytes = Long.getLong("minimumFreeBytes");

    SpaceGuard(Handler handler, File directory) {
      super(handler);
      this.directory = directory;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      String target = String.valueOf(request.getHeaders().get("X-Amz-Target"));
      // The service only reads with ExecuteStatement.
      boolean isRead = target.matches(".*\\.(Get|BatchGet|TransactGet|Query|Scan|List|Describe|ExecuteStatement).*");
      if (isRead || directory.getUsableSpace() >= minimumFreeBytes) return super.handle(request, response, callback);
      String message = "The disk of the data directory is nearly full.";
      return refuse(response, 500, "com.amazonaws.dynamodb.v20120810#InternalServerError", message, callback);
    }
  }

  /** Exits if another process still holds the lock after five seconds. */
  private static void lock(Path path) throws Exception {
    lockFile = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    for (int tries = 0; lockFile.tryLock() == null; tries++) {
      if (tries == 50) Runtime.getRuntime().halt(75);
      Thread.sleep(100);
    }
    lockFile.truncate(0).write(ByteBuffer.wrap(System.getProperty("owner").getBytes()));
  }
}
